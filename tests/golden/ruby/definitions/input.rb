# frozen_string_literal: true

require "json"

# The shop.
module Shop
  VERSION = "1.0"

  # A user of it.
  # Has a name.
  class User < Base
    attr_reader :email
    attr_accessor :name, :age

    LIMIT = 3

    # Makes one.
    def initialize(name, age = 1, *rest, key: nil, **options, &block)
      @name = name
    end

    def valid? = true

    def save!
      write
    end

    def name=(value)
      @name = value
    end

    def ==(other)
      name == other.name
    end

    def [](index)
      index
    end

    def self.create(name)
      new(name)
    end

    class << self
      def build
        create("x")
      end

      private

      def secret; end
    end

    alias full_name name

    protected

    def compare; end

    private

    def write
      helper = lambda { |x| x }
      helper
    end

    public

    def shown; end

    private def inline; end

    def after_inline; end
  end

  class Error < StandardError; end

  module Util
    module_function

    def clean(text)
      text.strip
    end
  end

  class Admin::Role
    def level; end
  end
end

def Shop.open(path)
  path
end

def top_level(x)
  x
end

class UserTest < Minitest::Test
  def setup; end

  def test_saves
    assert User.new("x").save!
  end
end

Point = Struct.new(:x, :y) do
  def length; end
end

class Money
  class_attribute :currency
  alias_method :total, :amount
  define_method(:dynamic) { |x| x }
end
