-- Write a match if it still is what the writer read, and tell whoever waits for it.
--
-- KEYS  1 record  2 events  3 moves
-- ARGV  1 the version that was read, 0 to create the match   2 the stamp of its write
--       3 the stamp of this write   4 time to live of all keys, in milliseconds
--       5 the match   6 the state, or nothing before the start
--       7 how many events follow   8 how many moves follow them; what comes last are the channels to tell
-- Answers the new version, or the fields of the record if the match is not what was read.
--
-- All values are opaque bytes here: nothing is decoded, so nothing is bent.
--
-- The version counts writes; the stamp is another one for each of them. Where a failover has lost writes, others may
-- have taken their numbers.

local stored = redis.call('HMGET', KEYS[1], 'version', 'stamp')
local version = tonumber(ARGV[1])
if tonumber(stored[1] or '0') ~= version or (stored[2] or '') ~= ARGV[2] then
  return redis.call('HMGET', KEYS[1], 'version', 'stamp', 'match', 'state')
end
version = version + 1

redis.call('HSET', KEYS[1], 'version', version, 'stamp', ARGV[3], 'match', ARGV[5], 'state', ARGV[6])
local last_event = 8 + tonumber(ARGV[7])
local last_move = last_event + tonumber(ARGV[8])
local function append(key, first, last)
  for place = first, last, 1000 do  -- a call takes some thousands of arguments at most
    redis.call('RPUSH', key, unpack(ARGV, place, math.min(place + 999, last)))
  end
end
append(KEYS[2], 9, last_event)
append(KEYS[3], last_event + 1, last_move)
for _, key in ipairs(KEYS) do
  redis.call('PEXPIRE', key, ARGV[4])
end
for place = last_move + 1, #ARGV do
  redis.call('PUBLISH', ARGV[place], version)
end
return version
