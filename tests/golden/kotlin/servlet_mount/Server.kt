package org.a

import org.eclipse.jetty.servlet.ServletContextHandler
import org.eclipse.jetty.servlet.ServletHolder
import org.glassfish.jersey.server.ResourceConfig
import org.glassfish.jersey.servlet.ServletContainer

fun start(handler: ServletContextHandler) {
    handler.addServlet(ServletHolder(FilesServlet()), "/files/*")
    val config = ResourceConfig(Users::class.java)
    val holder = ServletHolder(ServletContainer(config))
    handler.addServlet(holder, "/api/*")
}
