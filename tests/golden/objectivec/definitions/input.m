#import "Order.h"

// An order.
@interface Order : NSObject <Sized>
@property (nonatomic) int total;
- (instancetype)initWithId:(int)ident;
+ (Order *)empty;
@end

@implementation Order
- (instancetype)initWithId:(int)ident {
    self = [super init];
    return self;
}

+ (Order *)empty {
    return nil;
}
@end

@protocol Sized
- (int)size;
@end

int add(int a, int b) {
    return a + b;
}
