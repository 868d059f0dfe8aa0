-- Put a match into the store as it was in another one, if there is none of its id.
--
-- KEYS  1 record  2 events  3 moves
-- ARGV  1 the version that it shall have
--       2 time to live of all keys, in milliseconds
--       3 the match   4 the state, or nothing before the start
--       5 how many events follow; after them come the moves   6 the stamp of this write; then what follows
-- Answers 1, or 0 if there is such a match, or a part of one.

if redis.call('EXISTS', unpack(KEYS)) > 0 then
  return 0
end
redis.call('HSET', KEYS[1], 'version', ARGV[1], 'stamp', ARGV[6], 'match', ARGV[3], 'state', ARGV[4])
local last_event = 6 + tonumber(ARGV[5])
for place = 7, last_event do
  redis.call('RPUSH', KEYS[2], ARGV[place])
end
for place = last_event + 1, #ARGV do
  redis.call('RPUSH', KEYS[3], ARGV[place])
end
for _, key in ipairs(KEYS) do
  redis.call('PEXPIRE', key, ARGV[2])
end
return 1
