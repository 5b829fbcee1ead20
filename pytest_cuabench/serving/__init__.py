"""Suites as environments of trainers: sessions in which a caller decides, an OpenEnv server, Gymnasium."""
