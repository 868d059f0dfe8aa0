-- Write a match if it still has the version that the writer read, and tell whoever waits for it.
--
-- KEYS  1 record  2 events  3 moves
-- ARGV  1 the version that was read; 0 to create the match
--       2 time to live of all keys, in milliseconds
--       3 the match   4 the state, or nothing before the start
--       5 how many events follow   6 how many moves follow them; what comes last are the channels to tell
-- Answers the new version, or 0 if the match has another version than the one that was read.
--
-- All values are opaque bytes here: nothing is decoded, so nothing is bent.

local read = tonumber(ARGV[1])
local stored = tonumber(redis.call('HGET', KEYS[1], 'version') or '0')
if stored ~= read then
  return 0
end

redis.call('HSET', KEYS[1], 'version', read + 1, 'match', ARGV[3], 'state', ARGV[4])
local last_event = 6 + tonumber(ARGV[5])
local last_move = last_event + tonumber(ARGV[6])
for place = 7, last_event do
  redis.call('RPUSH', KEYS[2], ARGV[place])
end
for place = last_event + 1, last_move do
  redis.call('RPUSH', KEYS[3], ARGV[place])
end
for _, key in ipairs(KEYS) do
  redis.call('PEXPIRE', key, ARGV[2])
end
for place = last_move + 1, #ARGV do
  redis.call('PUBLISH', ARGV[place], read + 1)
end
return read + 1
