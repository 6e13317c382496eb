class Disk : public storage::Service {
 public:
  int Read(Context* context, int key) { return key; }
};

class Cart : public Base {
 public:
  int GetCart(int id) { return stub.GetCart(id); }
  TestStub stub;
};

int main() {
  Disk disk;
  disk.Read(nullptr, 1);
  test::Client client;
  client.GetCart(1);
}
