import jakarta.ws.rs.Produces;
import org.eclipse.microprofile.rest.client.annotation.RegisterProvider;

@RegisterProvider(Mapper.class)
interface MicroProfiles {
    @Produces("/not/a/call")
    String get();
}
