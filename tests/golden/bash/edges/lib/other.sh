filter_lines() {
	grep x
	log filtered
}
