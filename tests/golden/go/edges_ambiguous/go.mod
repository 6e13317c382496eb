module amb
