-- Take a lease, or renew one; leases that have ended count no more.
--
-- KEYS  1 the leases that somebody has of one thing, by the time when each ends
-- ARGV  1 the id of the lease
--       2 how many there may be at once
--       3 how long it lasts, in milliseconds
-- Answers 1, or 0 if there are that many others.

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then
  return 0
end
redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
