// Types that a function names for itself.
template <class T> int depth(T buoy) {
	using reading = value_of<T>;
	typedef int metres;
	return reading(buoy) + metres(1);
}

using chart = int;
