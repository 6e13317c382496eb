import javax.servlet.annotation.WebServlet;
import javax.servlet.annotation.WebFilter;

@WebFilter("/not/a/route")
class Filters {
    void doFilter() { }
}

class Servlets extends HttpServlet {
    protected void doGet(HttpServletRequest request, HttpServletResponse response) { response.sendRedirect("/not/a/route"); }
}
