# Serves pages.
class nginx (
  $port = 80,
) {
  package { 'nginx':
    ensure => installed,
  }
}

define nginx::site($root) {
  file { "/etc/${title}": }
}

node 'web1' {
  include nginx
}
