*** Variables ***
${HOST}    localhost

*** Test Cases ***
Login Works
    Open Shop    ${HOST}

*** Keywords ***
Open Shop
    [Arguments]    ${host}
    Log    ${host}
