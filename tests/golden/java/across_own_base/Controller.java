package app;
import static org.apache.commons.lang3.StringUtils.join;
public interface Controller {
    default String controllerPath(Object... paths) {
        if (paths == null || paths.length == 0) {
            return controllerBasePath();
        } else {
            return (controllerBasePath() + "/" + join(paths, '/')).replace("//", "/");
        }
    }
    String controllerBasePath();
}
