package com.example;

import org.eclipse.microprofile.graphql.GraphQLApi;
import org.eclipse.microprofile.graphql.Mutation;
import org.eclipse.microprofile.graphql.Query;

@GraphQLApi
public class FilmResource {
	@Query("allFilms")
	public List<Film> getFilms() {
		return service.all();
	}

	@Query
	public Film getFilm(int id) {
		return service.one(id);
	}

	@Mutation
	public Film createFilm(Film film) {
		return service.add(film);
	}
}
