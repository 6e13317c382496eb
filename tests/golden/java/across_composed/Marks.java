package shop;
import org.springframework.core.annotation.AliasFor;
import org.springframework.web.bind.annotation.*;
@RestController
@RequestMapping("/internal")
@interface Internal {}
@RequestMapping(path = "/search", method = { RequestMethod.GET, RequestMethod.POST })
@interface Search {}
@PutMapping(consumes = "application/json")
@interface Replace {
  @AliasFor(annotation = PutMapping.class, attribute = "path") String[] value() default {};
}
@interface Audited { String value(); }
