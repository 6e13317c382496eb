// A file in the middle of an edit: what cannot be parsed hides no name.
namespace tide {
class Harbour : public Port {
public:
	int arrive(const Ship &ship) {
		int place = berths[;
		if (ship.length > {

	void leave(const Ship &ship);

struct Berth {
	int size
