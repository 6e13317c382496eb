import org.springframework.web.bind.annotation.GetMapping;

/* No @FeignClient: nobody calls it. */
interface Feigns {
	@GetMapping("/feign-less")
	String all();

	String other = "feign.Feign";
}
