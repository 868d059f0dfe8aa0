-- Read a match unless it is the one that the reader has.
--
-- KEYS  1 record
-- ARGV  1 the stamp of the write that the reader has
-- Answers 1, or the fields of the record.

if redis.call('HGET', KEYS[1], 'stamp') == ARGV[1] then
  return 1
end
return redis.call('HMGET', KEYS[1], 'version', 'stamp', 'match', 'state')
