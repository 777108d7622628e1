"""`master`: a network that looks ahead. Its policy proposes decisions and plays them on, its value judges them."""
