-- Keeps things.
class
	STORE

feature -- Access

	name: STRING
			-- What it is called.

	find (key: STRING): INTEGER
			-- Where `key` is.
		do
			Result := key.count
		end

end
