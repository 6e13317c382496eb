import io.micronaut.http.annotation.*;

interface Micronauts {
	@Get("/nobody")
	String nobody();
}
