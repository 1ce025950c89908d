-- Forgets everything of a conversation.
-- KEYS: the names of its values by their ends, the keys of its lists. ARGV: what comes before a name in a value's key.
for _, name in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  redis.call('DEL', ARGV[1] .. name)
end
for _, list in ipairs(redis.call('SMEMBERS', KEYS[2])) do
  redis.call('DEL', list)
end
redis.call('DEL', KEYS[1], KEYS[2])
return 1
