package com.example

@DgsComponent
class ShowsDataFetcher(private val service: ShowsService) {
    @DgsQuery
    fun shows(@InputArgument titleFilter: String?): List<Show> = service.shows()

    @DgsQuery(field = "show")
    fun findShow(@InputArgument id: String): Show? = service.show(id)

    @DgsData(parentType = DgsConstants.MUTATION.TYPE_NAME, field = "addShow")
    fun add(@InputArgument title: String): Show = service.add(title)

    @DgsData(parentType = "Show", field = "reviews")
    fun reviews(env: DgsDataFetchingEnvironment): List<Review> = listOf()
}
