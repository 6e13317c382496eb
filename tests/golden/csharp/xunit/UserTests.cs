using Xunit;

namespace App.Tests
{
    public class UserTests
    {
        [Fact]
        public void IsValid()
        {
            var user = new User();
            Assert.True(user.Valid());
        }
    }
}
