import org.springframework.web.client.RestTemplate;

class Trips {
	private final RestTemplate rest = new RestTemplate();

	void eachBranch(String id) {
		String url = "";
		if (id.startsWith("G")) {
			url = "http://trains/trips/" + id;
		} else {
			url = "http://buses/lines/" + id;
		}
		rest.getForObject(url, String.class);
	}

	void perhapsReplaced(boolean all) {
		String path = "/orders";
		if (all)
			path = "/orders/all";
		rest.delete("http://shop" + path);
	}

	void oneAfterTheOther(String id) {
		String url = "http://shop/first";
		rest.getForObject(url, String.class);
		url = "http://shop/second/" + id;
		rest.getForObject(url, String.class);
		url = url + "/more";
		rest.getForObject(url, String.class);
	}

	void chosen(int kind) {
		String url;
		switch (kind) {
		case 1:
			url = "http://shop/one";
			break;
		case 2:
			url = "http://shop/two";
			break;
		default:
			url = "http://shop/other";
		}
		rest.put(url, null);
	}

	/* What is put behind it is not known to be there. */
	void appended(boolean all) {
		String url = "http://shop/list";
		if (all)
			url += "/all";
		rest.getForObject(url, String.class);
	}
}
