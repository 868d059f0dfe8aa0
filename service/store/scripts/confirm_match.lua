-- Have something to wait for: see that a match is as it was read, and write a part of it again, as it is.
--
-- KEYS  1 record
-- ARGV  1 the version that was read   2 the stamp of its write
-- Answers 1, or 0 if it is another one by now.
--
-- Replicas confirm what was written over a connection, and all that came before it. What was read may have been
-- written over any other.

local stored = redis.call('HMGET', KEYS[1], 'version', 'stamp')
if stored[1] ~= ARGV[1] or stored[2] ~= ARGV[2] then
  return 0
end
redis.call('HSET', KEYS[1], 'version', ARGV[1])
return 1
