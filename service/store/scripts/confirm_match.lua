-- Write a match as it is, so that whoever has this write has all that came before it.
--
-- KEYS  1 record
-- Answers 1, or 0 if there is no such match.

local version = redis.call('HGET', KEYS[1], 'version')
if not version then
  return 0
end
redis.call('HSET', KEYS[1], 'version', version)
return 1
