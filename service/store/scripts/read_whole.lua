-- Read everything of a match, as it is at one moment.
--
-- KEYS  1 record  2 events  3 moves

return {
  redis.call('HMGET', KEYS[1], 'version', 'stamp', 'match', 'state'),
  redis.call('LRANGE', KEYS[2], 0, -1),
  redis.call('LRANGE', KEYS[3], 0, -1)
}
