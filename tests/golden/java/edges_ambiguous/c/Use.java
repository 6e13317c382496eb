package c;

import b.Conn;
import java.io.Closeable;

class Use {
    void run(Conn conn, Closeable other, Object any) {
        conn.close();
        other.close();
        any.toString();
        System.out.println(unknown());
    }
}
