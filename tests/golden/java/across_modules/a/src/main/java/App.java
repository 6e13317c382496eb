package a;

import javax.ws.rs.ApplicationPath;

@ApplicationPath("/api")
public class App extends javax.ws.rs.core.Application {
}
