"""The hall: all tables of an event live, and the acts of its organisers and officials.

`routes` has the pages, `insiders` who may see them. `rows` makes the tables of a round, `boards`
keeps which have changed, `seen` gathers what else a page shows. What is done is a command of the
API: `acts`, `people` and `prepared` make it of a form (`asked`), the page's script sends it
(`static/commands.js`). The desk of one match is `service.web.desk`, what everybody sees of an event
and a player's list `service.web.events`.
"""
