"""The desk of a match in a browser: what an official sees of it, and his acts.

`routes` has the page, `seen` what it shows, `back` what going back would undo. What is done is a
command of the API, as in the hall (`service.web.hall.prepared`): `acts` make it of a form and say
what a terminal would say first.
"""
