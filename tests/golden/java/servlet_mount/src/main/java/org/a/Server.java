package org.a;

import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;

public class Server {
    private void initApi(ServletContextHandler handler) {
        handler.addServlet(new ServletHolder(new FilesServlet()), "/files/*");
        ResourceConfig config = new ResourceConfig();
        config.packages(Users.class.getPackage().getName());
        handler.addServlet(new ServletHolder(new ServletContainer(config)), "/api/*");
    }
}
