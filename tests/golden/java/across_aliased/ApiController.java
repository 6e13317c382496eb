package app;

import org.springframework.web.bind.annotation.*;

@RestController
@RequestMapping("/api/v1")
public @interface ApiController {
    String value() default "";
}
