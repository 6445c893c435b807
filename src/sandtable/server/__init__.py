"""The server of the browser table: HTTP for lobby and files, one WebSocket a seat. It knows no game.

Nothing here is imported by the rest of sandtable until a server is wanted: `sandtable --help` stays quick.
"""
