package com.example;

@DgsComponent
public class Films {
	@DgsQuery
	public List<String> films() {
		return List.of();
	}
}
