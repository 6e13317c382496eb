# Where it runs.
provider "aws" {
  region = var.region
}

variable "region" {
  default = "eu"
}

# Keeps orders.
resource "aws_s3_bucket" "orders" {
  bucket = "orders"

  tags = {
    a = "b"
  }
}

data "aws_ami" "base" {}

module "vpc" {
  source = "./vpc"
}

output "name" { value = aws_s3_bucket.orders.id }
