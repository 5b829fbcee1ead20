"""Lightning App Builder: pages are made of components and fields, saved, and activated."""
