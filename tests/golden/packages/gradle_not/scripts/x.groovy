dependencies { implementation 'com.acme:no:1' }
