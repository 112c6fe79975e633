"""Checks of an effect before it is carried out.

`able`: whether it can be activated at all; `idle`: whether all see that it would do nothing;
`doable`: whether an instruction can be done wholly; `alike`: whether the order of waiting effects
can matter.
"""
