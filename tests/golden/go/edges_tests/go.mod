module sums
