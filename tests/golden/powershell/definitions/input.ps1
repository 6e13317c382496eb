# Gets users.
function Get-User {
    param([string]$Name)
    return $Name
}
$limit = 3
