package app;

import org.springframework.core.annotation.AliasFor;
import org.springframework.web.bind.annotation.*;

@RestController
@RequestMapping
public @interface VersionedController {
    @AliasFor(annotation = RequestMapping.class, attribute = "path")
    String[] value() default {};

    @AliasFor(annotation = RequestMapping.class, attribute = "produces")
    String[] path() default {};
}
