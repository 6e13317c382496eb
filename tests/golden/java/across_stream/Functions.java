package shop;

import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.springframework.context.annotation.Bean;

class Functions {
	@Bean
	Function<Order, Invoice> process() {
		return order -> new Invoice(order);
	}

	@Bean
	public Consumer<Order> audit() {
		return order -> { };
	}

	@Bean
	Supplier<Long> tick() {
		return System::nanoTime;
	}

	@Bean
	Function<String, String> trim() {
		return String::trim;
	}

	Consumer<String> ignored() {
		return text -> { };
	}
}
