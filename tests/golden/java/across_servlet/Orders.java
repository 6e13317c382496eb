package shop;

import javax.servlet.annotation.WebServlet;
import javax.servlet.http.HttpServlet;

@WebServlet(urlPatterns = {Paths.ORDERS, Paths.ORDERS + "/*"})
public class Orders extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) { }

    @Override
    protected void doPut(HttpServletRequest request, HttpServletResponse response) { }
}
