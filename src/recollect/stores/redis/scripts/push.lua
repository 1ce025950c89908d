-- Adds to the end of a list and keeps its newest; the list is gone so long after that.
-- KEYS: the list, the keys of the conversation's lists. ARGV: value, milliseconds, how many are kept.
redis.call('RPUSH', KEYS[1], ARGV[1])
redis.call('LTRIM', KEYS[1], -ARGV[3], -1)
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('SADD', KEYS[2], KEYS[1])
if redis.call('PTTL', KEYS[2]) < tonumber(ARGV[2]) then
  redis.call('PEXPIRE', KEYS[2], ARGV[2])
end
return 1
