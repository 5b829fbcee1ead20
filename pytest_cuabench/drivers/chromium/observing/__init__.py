"""What is seen of a page: pictures, trees, documents."""
