-- Read a match with a part of its log, which must fit the match that it is shown for.
--
-- KEYS  1 record  2 events
-- ARGV  1 the first event, from 0   2 the last one
-- Answers the fields of the record, the events, and how many there are in all.

return {
  redis.call('HMGET', KEYS[1], 'version', 'stamp', 'match', 'state'),
  redis.call('LRANGE', KEYS[2], ARGV[1], ARGV[2]),
  redis.call('LLEN', KEYS[2])
}
