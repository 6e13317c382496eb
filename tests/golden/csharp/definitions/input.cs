using System;

namespace Shop.Users
{
    /// <summary>
    /// A user of the shop.
    /// </summary>
    /// <remarks>Has a name.</remarks>
    [Serializable]
    public partial class User : Entity<int>, IUser
    {
        public const int Max = 3;
        private static readonly string Prefix = "u";
        private readonly IRepo _repo, _other = null;
        internal int count;

        /// <summary>Its name.</summary>
        public string Name { get; set; } = "x";
        public int Age => _repo.Age(1);
        protected virtual bool Hidden { get { return false; } }

        public User(IRepo repo) : base(repo)
        {
            _repo = repo;
        }

        ~User() { }

        /// <summary>Finds one.</summary>
        /// <param name="id">Which.</param>
        [Obsolete("no")]
        public async Task<User> Find<T>(int id, T fallback = default) where T : class
        {
            int Local(int q) { return q; }
            Func<int, int> f = x => x + 1;
            return await _repo.Find(Local(id));
        }

        public static User operator +(User a, User b) => a;
        public static implicit operator int(User u) => 1;
        public int this[int i] => i;
        public event EventHandler Changed;
        void IDisposable.Dispose() { }
        private void Secret() { }

        public delegate void Handler(object sender, int x);

        private class Nested
        {
            public int Depth;
        }
    }

    public record Point(int X, int Y);

    public readonly record struct Size(int Width);

    public interface IUser : IDisposable
    {
        string Name { get; }
        void Go(int speed);
    }

    internal struct Range
    {
        public int From;
    }

    public enum Color
    {
        Red,
        Green = 2
    }

    public static class Extensions
    {
        public static string Shout(this string s) => s.ToUpper();
    }

    public class UserTests
    {
        [Fact]
        public void Saves() { }

        [Theory, InlineData(1)]
        public void Counts(int n) { }

        private User Make() => null;
    }

    public class Checks
    {
        [Test]
        public void Works() { }

        public void Helper() { }
    }
}
