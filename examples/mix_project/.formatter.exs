[inputs: ["{lib,test}/**/*.{ex,exs}"]]
