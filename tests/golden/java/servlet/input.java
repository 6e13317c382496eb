package shop;

import javax.servlet.annotation.WebServlet;

@WebServlet("/users")
public class Users extends HttpServlet {
    protected void doGet(HttpServletRequest request, HttpServletResponse response) { map.get("/nothing"); }

    protected void doPost(HttpServletRequest request, HttpServletResponse response) { }
}

@WebServlet(name = "Orders", urlPatterns = {"/orders", "/orders/*"})
class Orders extends HttpServlet {
    public void doDelete(HttpServletRequest request, HttpServletResponse response) { }

    public void doWork() { }
}

class Plain extends HttpServlet {
    public void doGet() { }
}
