// Macros in capitals between a template's types and its name.
template <typename C>
shop_inline SHOP_CONSTEXPR20 result_t<C>
report_error(C const *p, int error) {
  return result_t<C>();
}

template <typename T, typename C>
result_t<C> SHOP_CONSTEXPR14 parse_price(C const *first, T &value) noexcept {
  return result_t<C>();
}

template <>
inline const Descriptor* SHOP_NONNULL GetDescriptor<::shop::Order>() {
  return nullptr;
}

int shop :: Order :: total() const {
  return 0;
}
