"""How steady an application is: the same question asked again, or in other words."""
